import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';

import { useText } from '../text.js';
import { type Mark, chartOf, duration } from '../timeline.js';
import type { Simulation } from '../types.js';

export interface TimelineChartProps {
  simulation: Simulation;
  fromMs: number;
  toMs: number;
}

/** In pixels, until the width of the place is known. */
const WIDTH = 800;
const LEFT = 16;
const RIGHT = 16;
const LANE = 52;
const TOP = 8;
const AXIS = 28;
/** The width from which a pause has its name in it. */
const ROOM_FOR_NAME = 64;
/** The width that the time of a tick takes. */
const ROOM_FOR_TICK = 72;

/** Who wrote when: a lane for each actor, and the pause as a shaded span. */
export function TimelineChart({ simulation, fromMs, toMs }: TimelineChartProps) {
  const t = useText();
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const chart = useMemo(() => chartOf(simulation, fromMs, toMs, Math.max(2, Math.floor(width / ROOM_FOR_TICK))), [simulation, fromMs, toMs, width]);
  const height = TOP + chart.lanes.length * LANE + AXIS;
  const x = (at: number) => LEFT + at * (width - LEFT - RIGHT);
  const paused = simulation.verdicts.flatMap(({ pausedAtMs }) => (pausedAtMs === null ? [] : [pausedAtMs]));
  const pause = paused.length > 0 ? t('simulation.pauseAt', { time: duration(Math.min(...paused)) }) : t('simulation.noPause');
  const actions = [...new Set(chart.lanes.flatMap((lane) => lane.marks.map((mark) => mark.action)))];
  return (
    <figure className="va-chart">
      <div className="va-chart__frame" ref={frame}>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          height={height}
          role="img"
          aria-label={t('simulation.chart', { count: simulation.timeline.length, duration: duration(toMs - fromMs), pause })}
        >
          {chart.pauses.map(({ from, to }) => (
            <g key={from}>
              <rect className="va-chart__pause" x={x(from)} y={TOP} width={x(to) - x(from)} height={height - TOP - AXIS} />
              {x(to) - x(from) >= ROOM_FOR_NAME && (
                <text className="va-chart__text" x={x(to) - 8} y={TOP + 14} textAnchor="end">
                  {t('simulation.paused')}
                </text>
              )}
            </g>
          ))}
          {chart.ticks.map(({ at, atMs }) => (
            <g key={atMs}>
              <line className="va-chart__tick" x1={x(at)} x2={x(at)} y1={TOP} y2={height - AXIS} />
              <text className="va-chart__text" x={x(at)} y={height - 8} textAnchor={at > 0.95 ? 'end' : at < 0.05 ? 'start' : 'middle'}>
                {duration(atMs)}
              </text>
            </g>
          ))}
          {chart.lanes.map((lane, index) => {
            const y = TOP + index * LANE;
            return (
              <g key={lane.actor}>
                <text className="va-chart__name" x={LEFT} y={y + 14}>
                  {lane.actor}
                </text>
                <line className="va-chart__lane" x1={LEFT} x2={width - RIGHT} y1={y + 34} y2={y + 34} />
                {lane.marks.map((mark) => (
                  <MarkShape key={`${mark.action} ${mark.at}`} mark={mark} x={x(mark.at)} y={y + 34} />
                ))}
              </g>
            );
          })}
        </svg>
      </div>
      <figcaption className="va-chart__legend">
        {actions.map((action) => (
          <span key={action}>
            <svg className="va-chart__sample" viewBox="0 0 16 16" aria-hidden="true">
              <Shape action={action} x={8} y={8} />
            </svg>
            {t(`simulation.${action}`)}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

/** The width of an element in pixels, as it changes. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(WIDTH);
  useEffect(() => {
    if (element.current === null || typeof ResizeObserver === 'undefined') return undefined;
    const observer = new ResizeObserver(([entry]) => { if (entry) setWidth(Math.max(1, Math.round(entry.contentRect.width))); });
    observer.observe(element.current);
    return () => { observer.disconnect(); };
  }, [element]);
  return width;
}

function MarkShape({ mark, x, y }: { mark: Mark; x: number; y: number }) {
  const t = useText();
  const { first, count, action } = mark;
  return (
    <g>
      <title>{`${duration(first.atMs)} · ${t(`simulation.${action}`)}${count > 1 ? ` × ${count}` : ''} · ${first.note}`}</title>
      <Shape action={action} x={x} y={y} />
    </g>
  );
}

/** Each action has a form of its own, so that colour is not needed to tell them apart. */
function Shape({ action, x, y }: { action: Mark['action']; x: number; y: number }) {
  const className = `va-chart__mark va-chart__mark--${action}`;
  switch (action) {
    case 'throttled':
      return <path className={className} d={`M${x - 4} ${y - 4}L${x + 4} ${y + 4}M${x + 4} ${y - 4}L${x - 4} ${y + 4}`} />;
    case 'paused':
      return <path className={className} d={`M${x - 3} ${y - 7}V${y + 7}M${x + 3} ${y - 7}V${y + 7}`} />;
    case 'delete':
    case 'conflict':
      return <path className={className} d={`M${x} ${y - 6}L${x + 6} ${y + 5}H${x - 6}Z`} />;
    case 'update':
      return <rect className={className} x={x - 4.5} y={y - 4.5} width={9} height={9} />;
    case 'apply':
      return <circle className={className} cx={x} cy={y} r={5} />;
  }
}
