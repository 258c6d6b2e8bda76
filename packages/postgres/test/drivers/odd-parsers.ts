/** Parsers of the user's: everything but a text becomes something of their own. */
export const oddParsers = {
  getTypeParser(type: number) {
    return (value: string) => (type === TEXT ? value : { theirs: value });
  },
};

const TEXT = 25;
