import { keysFrom, type Network } from '@onceward/client';
import { sqliteJournal } from '@onceward/client/sqlite';
import NetInfo from '@react-native-community/netinfo';
import { getRandomValues } from 'expo-crypto';
import { openDatabaseSync } from 'expo-sqlite';

/** What a journal needs to know of the device it runs on. */
export const device = {
  // A database of its own: a transaction of the app could undo what the journal calls durable.
  store: sqliteJournal(openDatabaseSync('journal.db')),
  // React Native has no `crypto`.
  newKeys: keysFrom(getRandomValues),
  network: deviceNetwork(),
};

function deviceNetwork(): Network {
  let online = true;
  return {
    online: () => online,
    listen: (listener) =>
      NetInfo.addEventListener(({ isConnected }) => {
        // Not yet known is not offline: an attempt that fails costs less than one that is not made.
        online = isConnected !== false;
        listener();
      }),
  };
}
