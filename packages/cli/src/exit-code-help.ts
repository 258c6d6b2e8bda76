/** The exit codes in words, below the help of the program. */
export const exitCodeHelp = `Connection:
  Every command takes --url, or reads DATABASE_URL. No password is ever printed.

Exit codes:
  0    done, and nothing is left to act on
  1    something to act on: a finding, a refusal, a key that is not there, pending migrations
  2    the command line is wrong; nothing was done
  3    the database or Redis cannot be reached
  4    the database refused a statement
  130  ended by Ctrl-C before the work was done`;
