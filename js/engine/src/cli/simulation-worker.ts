import { parentPort, workerData } from 'node:worker_threads';

import { init } from '../node.js';
import type { SimulationInput } from '../types.js';

/** What is played: the catalog as the text of a bundle, for a loaded one belongs to its thread. */
export interface SimulationWork {
  bundle: string;
  input: Omit<SimulationInput, 'catalog'>;
}

const { bundle, input } = workerData as SimulationWork;
const engine = await init();
parentPort?.postMessage(engine.simulate({ ...input, catalog: engine.loadCatalog({ bundle }) }));
