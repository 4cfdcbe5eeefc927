import { Worker } from 'node:worker_threads';

import type { SimulationWork } from './simulation-worker.js';
import type { Sink } from './terminal.js';
import type { Simulation } from '../types.js';

/** Plays a long simulation in a thread of its own, so that a person sees meanwhile that it goes on. */
export async function simulateWithProgress(work: SimulationWork, err: Sink): Promise<Simulation> {
  const started = Date.now();
  const worker = new Worker(new URL('./simulation-worker.js', import.meta.url), { workerData: work });
  const timer = setInterval(() => {
    err.raw(`\rplaying … ${Math.round((Date.now() - started) / 1_000)} s`);
  }, 500);
  try {
    return await new Promise<Simulation>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  } finally {
    clearInterval(timer);
    err.raw('\r\u001b[K');
  }
}
