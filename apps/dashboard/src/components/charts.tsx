import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react';
import { compactText, countText, fullTime, type PeriodUnit, shortDay, startText } from '../lib/formats';
import { labelledPlaces, pathOf, pointsOf, ticksUpTo } from './chart-scale';

// Plain SVG: a chart library would add scales and interpolation that nothing uses, and default styles to override.

export interface Series {
  name: string;
  look: 'delivered' | 'failed' | 'read' | 'pending';
  values: readonly number[];
  hasArea?: boolean;
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Sample of a line. Each look has its own dashes, so that a chart can be read without colours. */
function Key({ look }: Pick<Series, 'look'>) {
  return (
    <svg className="key-line" viewBox="0 0 18 8" aria-hidden>
      <path className={`line s-${look}`} d="M0 4H18" />
    </svg>
  );
}

export function Legend({ series }: { series: readonly Series[] }) {
  return (
    <div className="legend push">
      {series.map(({ name, look, values }) => (
        <span key={name}>
          <Key look={look} />
          {name} <span className="n">{countText(sumOf(values))}</span>
        </span>
      ))}
    </div>
  );
}

/** Sparkline without axes; hidden from screen readers, because the number next to it carries the value. */
export function Spark({ values, look, hasArea }: Omit<Series, 'name'>) {
  if (values.length < 2) return null;
  const points = pathOf(pointsOf(values, Math.max(1, ...values)));
  return (
    <svg className="spark" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
      {hasArea && <path className={`a-${look}`} d={`${points}V100H0Z`} />}
      <path className={`line s-${look}`} d={points} />
    </svg>
  );
}

interface LineChartProps {
  label: string;
  unit: PeriodUnit;
  /** Start of each hour or day. */
  starts: readonly string[];
  series: readonly Series[];
}

const STEPS: Partial<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageDown: -7, PageUp: 7 };

/** Line chart over time. The pointer and the arrow keys show the values of one period; a table lists them all. */
export function LineChart({ label, unit, starts, series }: LineChartProps) {
  const id = useId();
  const [hovered, setHovered] = useState<number>();
  const [chosen, setChosen] = useState<number>();
  const last = starts.length - 1;
  const ticks = ticksUpTo(Math.max(...series.flatMap(({ values }) => values)));
  const most = ticks.at(-1) ?? 1;
  const at = hovered ?? chosen;
  const textAt = (index: number): string =>
    [
      startText(starts[index] ?? '', unit, 'long'),
      ...series.map(({ name, values }) => `${name} ${countText(values[index] ?? 0)}`),
    ].join(', ');
  const point = ({ currentTarget, clientX }: PointerEvent): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setHovered(Math.min(last, Math.max(0, Math.round(((clientX - left) / width) * last))));
  };
  const press = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    const next = event.key === 'Home' ? 0 : event.key === 'End' ? last : step && (chosen ?? last) + step;
    if (next === undefined) return;
    event.preventDefault();
    setHovered(undefined);
    setChosen(Math.min(last, Math.max(0, next)));
  };
  return (
    <figure>
      <div className="chart">
        <div className="y" aria-hidden>
          {ticks.toReversed().map((tick) => (
            <span key={tick}>{compactText(tick)}</span>
          ))}
        </div>
        <div
          className="plot"
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-describedby={id}
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={chosen ?? last}
          aria-valuetext={textAt(chosen ?? last)}
          onPointerMove={point}
          onPointerLeave={() => setHovered(undefined)}
          onKeyDown={press}
          onFocus={() => setChosen((now) => now ?? last)}
          onBlur={() => setChosen(undefined)}
        >
          <Lines series={series} most={most} at={at === undefined ? undefined : at / Math.max(1, last)} />
          {at !== undefined && (
            <>
              {series.map(({ name, look, values }) => (
                <span
                  key={name}
                  className={`dot ${look}`}
                  style={{
                    left: `${(at / Math.max(1, last)) * 100}%`,
                    top: `${100 - ((values[at] ?? 0) / most) * 100}%`,
                  }}
                />
              ))}
              <Tip
                series={series}
                at={at}
                share={at / Math.max(1, last)}
                title={startText(starts[at] ?? '', unit, 'long')}
              />
            </>
          )}
        </div>
        <div className="x" aria-hidden>
          {labelledPlaces(starts.length, 5).map((place) => (
            <span key={place} style={{ left: `${(place / Math.max(1, last)) * 100}%` }}>
              {startText(starts[place] ?? '', unit, 'short')}
            </span>
          ))}
        </div>
      </div>
      <figcaption>
        <p className="sr" id={id}>
          {series.map(({ name, values }) => `${name}: ${countText(sumOf(values))} in total`).join('; ')}. Use the arrow
          keys to move between {unit}s.
        </p>
        <Values label={label} unit={unit} starts={starts} series={series} />
      </figcaption>
    </figure>
  );
}

function Lines({ series, most, at }: { series: readonly Series[]; most: number; at: number | undefined }) {
  return (
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
      {[0, 25, 50, 75, 100].map((y) => (
        <path key={y} className="grid" d={`M0 ${y}H100`} />
      ))}
      {series.map(({ name, look, values, hasArea }) => {
        const points = pathOf(pointsOf(values, most));
        return (
          <g key={name}>
            {hasArea && <path className={`a-${look}`} d={`${points}V100H0Z`} />}
            <path className={`line s-${look}`} d={points} />
          </g>
        );
      })}
      {at !== undefined && <path className="cross" d={`M${at * 100} 0V100`} />}
    </svg>
  );
}

/** Tooltip, placed on the side of the point that has room. */
function Tip({ series, at, share, title }: { series: readonly Series[]; at: number; share: number; title: string }) {
  const side = share > 0.5 ? { right: `calc(${(1 - share) * 100}% + 12px)` } : { left: `calc(${share * 100}% + 12px)` };
  return (
    <div className="chart-tip" style={side}>
      <b>{title}</b>
      {series.map(({ name, look, values }) => (
        <div key={name}>
          <Key look={look} />
          <span>{name}</span>
          <span>{countText(values[at] ?? 0)}</span>
        </div>
      ))}
    </div>
  );
}

/** Table of the chart's values, newest first. */
function Values({ label, unit, starts, series }: LineChartProps) {
  return (
    <details className="chart-values">
      <summary>Show as table</summary>
      <div className="chart-rows" tabIndex={0} role="region" aria-label={`${label}, as table`}>
        <table className="table" aria-label={label}>
          <thead>
            <tr>
              <th scope="col">{unit === 'day' ? 'Day (UTC)' : 'Hour'}</th>
              {series.map(({ name }) => (
                <th key={name} scope="col" className="num">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {starts
              .map((start, index) => (
                <tr key={start}>
                  <td>{startText(start, unit, 'long')}</td>
                  {series.map(({ name, values }) => (
                    <td key={name} className="num">
                      {countText(values[index] ?? 0)}
                    </td>
                  ))}
                </tr>
              ))
              .toReversed()}
          </tbody>
        </table>
      </div>
    </details>
  );
}

interface StepChartProps {
  label: string;
  /** Levels from best to worst. */
  levels: readonly string[];
  /** Level changes, oldest first. */
  changes: readonly { at: string; level: string }[];
  until: Date;
}

/** Step chart of a level over time. */
export function StepChart({ label, levels, changes, until }: StepChartProps) {
  const from = Date.parse(changes[0]?.at ?? '');
  const xOf = (at: string): number => ((Date.parse(at) - from) / Math.max(1, until.getTime() - from)) * 100;
  const yOf = (level: string): number => (levels.indexOf(level) / Math.max(1, levels.length - 1)) * 100;
  const path = changes
    .map(({ at, level }, index) => (index === 0 ? `M0 ${yOf(level)}` : `H${xOf(at)}V${yOf(level)}`))
    .join('');
  const told = changes.map(({ at, level }) => `${level} from ${fullTime(at)}`).join('; ');
  return (
    <div className="chart steps-chart" role="img" aria-label={`${label}: ${told}`}>
      <div className="y" aria-hidden>
        {levels.map((level) => (
          <span key={level}>{level}</span>
        ))}
      </div>
      <div className="plot" aria-hidden>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none">
          {levels.map((level) => (
            <path key={level} className="grid" d={`M0 ${yOf(level)}H100`} />
          ))}
          <path className="line s-delivered" d={`${path}H100`} />
        </svg>
      </div>
      <div className="x" aria-hidden>
        <span style={{ left: '0%' }}>{changes[0] && shortDay(changes[0].at)}</span>
        <span style={{ left: '100%' }}>Now</span>
      </div>
    </div>
  );
}
