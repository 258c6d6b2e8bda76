import { useId } from 'react';

/** One of a few, as buttons beside each other. */
export function Choices<Value extends string>({
  legend,
  options,
  value,
  onChange,
}: {
  legend: string;
  options: readonly (readonly [Value, string])[];
  value: Value;
  onChange: (value: Value) => void;
}) {
  const name = useId();
  return (
    <fieldset className="choices">
      <legend>{legend}</legend>
      <div>
        {options.map(([each, title]) => (
          <label key={each}>
            <input
              type="radio"
              name={name}
              checked={each === value}
              onChange={() => onChange(each)}
            />
            {title}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
