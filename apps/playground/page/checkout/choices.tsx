import type { ReactNode } from 'react';

export interface ChoicesProps<Value extends string> {
  readonly name: string;
  readonly legend: string;
  readonly look: 'segments' | 'cards';
  readonly value: Value;
  readonly options: readonly ChoiceOption<Value>[];
  readonly onChoose: (value: Value) => void;
}

export interface ChoiceOption<Value extends string> {
  readonly value: Value;
  readonly title: string;
  readonly about?: ReactNode;
}

/** One of several: real radio buttons, for keyboards and screen readers, that look like cards. */
export function Choices<Value extends string>(props: ChoicesProps<Value>) {
  const { name, legend, look, value, options, onChoose } = props;
  return (
    <fieldset className={`choices ${look}`}>
      <legend>{legend}</legend>
      <div>
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChoose(option.value)}
            />
            <span>
              {option.title}
              {option.about && <small> {option.about}</small>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
