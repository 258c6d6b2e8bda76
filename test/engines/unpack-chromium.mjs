// Unpacks Chromium and the system libraries it needs into TMPDIR: the package knows no other way.
import chromium from '@sparticuz/chromium';

await chromium.executablePath();
