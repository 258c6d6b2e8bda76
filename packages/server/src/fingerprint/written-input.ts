/** An input whose text has been written, so that nothing of it is read any more. Made by `writtenAtOnce`. */
export class WrittenInput {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
