/** What a person can have go wrong with an order, in the words of `x-fault`. */
export interface Trouble {
  readonly fault: string;
  readonly title: string;
  readonly about: string;
}

export const troubles: readonly [Trouble, ...Trouble[]] = [
  { fault: '', title: 'Nothing', about: 'A good day.' },
  { fault: 'drop', title: 'The answer is lost', about: 'After the server has committed.' },
  { fault: 'hold=3500', title: 'The server is slow', about: 'The browser asks again meanwhile.' },
  { fault: 'status=503', title: 'A gateway says 503', about: 'Before anything happens.' },
  {
    fault: 'crash',
    title: 'The server crashes while paying',
    about: 'Its process is killed, and started again.',
  },
];

export function troubleOf(fault: string): Trouble {
  return troubles.find((trouble) => trouble.fault === fault) ?? troubles[0];
}
