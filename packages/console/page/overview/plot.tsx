import { useId } from 'react';

export interface Bar {
  readonly at: number;
  /** From the bottom up; their shares of the height are at most one together. */
  readonly parts: readonly { readonly name: string; readonly share: number }[];
}

/**
 * Bars of counts, one on top of the other. Only the bars are stretched to the room there is: texts
 * stand around them.
 */
export function Plot({
  title,
  top,
  label,
  times,
  bars,
}: {
  title: string;
  /** What the full height is. */
  top: string;
  /** What the plot says, for who does not see it. */
  label: string;
  times: readonly [string, string];
  bars: readonly Bar[];
}) {
  const id = useId();
  return (
    <figure>
      <figcaption id={id}>{title}</figcaption>
      <p className="scale">{top}</p>
      <svg
        role="img"
        aria-label={`${title}. ${label}`}
        viewBox={`0 0 ${Math.max(1, bars.length)} 100`}
        preserveAspectRatio="none"
      >
        {bars.flatMap(({ at, parts }, index) => {
          let below = 0;
          return parts.map(({ name, share }) => {
            const height = share * 100;
            below += height;
            return height === 0 ? null : (
              <rect
                key={`${at} ${name}`}
                data-series={name}
                x={index + 0.1}
                width={0.8}
                y={100 - below}
                height={height}
              />
            );
          });
        })}
      </svg>
      <p className="times">
        <span>{times[0]}</span>
        <span>{times[1]}</span>
      </p>
    </figure>
  );
}
