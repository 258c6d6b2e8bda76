// An application that does nothing but mount the devtools, for what bundlers make of that.
import { mountDevtools, type WatchableJournal } from '@onceward/client/devtools';

mountDevtools({ journal: {} as WatchableJournal });
