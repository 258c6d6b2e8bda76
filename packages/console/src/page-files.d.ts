/** The built page: its files by their path, such as `index.html`. Made by `build-page.mjs`. */
declare const pageFiles: Readonly<Record<string, string>>;
export default pageFiles;
