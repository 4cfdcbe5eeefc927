import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { latest } from '../../src/planning/latest';

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => { vi.useRealTimers(); });

function planner() {
  const runs: { input: string; finish: (output: string) => void; fail: (error: unknown) => void }[] = [];
  const told: string[] = [];
  const job = latest<string, string>({
    run: (input) => new Promise((resolve, reject) => { runs.push({ input, finish: resolve, fail: reject }); }),
    onResult: (output) => told.push(output),
    onError: (error) => told.push(`error ${String(error)}`),
    settleMs: 100,
    patienceMs: 1000,
  });
  return { job, runs, told };
}

it('gathers changes and runs on the newest', async () => {
  const { job, runs, told } = planner();
  job.ask('a');
  await vi.advanceTimersByTimeAsync(60);
  job.ask('b');
  await vi.advanceTimersByTimeAsync(60);
  expect(runs).toEqual([]);
  await vi.advanceTimersByTimeAsync(40);
  expect(runs.map(({ input }) => input)).toEqual(['b']);
  runs[0]?.finish('B');
  await vi.advanceTimersByTimeAsync(0);
  expect(told).toEqual(['B']);
});

it('is not put off for ever by changes that keep coming', async () => {
  const { job, runs } = planner();
  for (let time = 0; time < 2000; time += 50) {
    job.ask(String(time));
    await vi.advanceTimersByTimeAsync(50);
  }
  expect(runs).toHaveLength(1);
});

it('runs one at a time, and then on what came meanwhile', async () => {
  const { job, runs } = planner();
  job.ask('a');
  await vi.advanceTimersByTimeAsync(100);
  job.ask('b');
  job.ask('c');
  await vi.advanceTimersByTimeAsync(500);
  expect(runs).toHaveLength(1);
  runs[0]?.finish('A');
  await vi.advanceTimersByTimeAsync(0);
  expect(runs.map(({ input }) => input)).toEqual(['a', 'c']);
});

it('goes on after a failure, and says nothing once it is stopped', async () => {
  const { job, runs, told } = planner();
  job.ask('a');
  await vi.advanceTimersByTimeAsync(100);
  runs[0]?.fail('no');
  await vi.advanceTimersByTimeAsync(0);
  job.ask('b');
  await vi.advanceTimersByTimeAsync(100);
  job.stop();
  runs[1]?.finish('B');
  await vi.advanceTimersByTimeAsync(0);
  expect(told).toEqual(['error no']);
});
