/** What is kept in Redis under which prefix. */
export const prefixes = { waited: 'waited:', unwaited: 'unwaited:' } as const;
