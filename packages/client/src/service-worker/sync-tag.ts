/** What pages and their service worker call the event, unless they are told otherwise. */
export const defaultTag = 'onceward';
