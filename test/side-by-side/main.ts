import { play } from './play.ts';
import { queues, versionsOf } from './queues.ts';
import { stories } from './stories.ts';

/** Plays every story with every queue, and prints what became of the mutations as Markdown. */
export async function main(): Promise<void> {
  console.log(`| | ${queues.map(({ name }) => name).join(' | ')} |`);
  console.log(`|${' --- |'.repeat(queues.length + 1)}`);
  for (const story of stories) {
    const cells = [];
    for (const queue of queues) cells.push(await play(story, queue));
    console.log(`| ${story.name} | ${cells.join(' | ')} |`);
  }
  const today = new Date().toISOString().slice(0, 10);
  console.log(`\n${today}: ${queues.flatMap(versionsOf).join(', ')}.`);
}
