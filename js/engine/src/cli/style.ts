/** Gives a text a colour or a weight. */
export type Paint = (text: string) => string;

/** How text is coloured; every function gives the text back as it is where colours are off. */
export interface Style {
  readonly enabled: boolean;
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly blue: Paint;
  readonly cyan: Paint;
}

/** The colours, on or off. */
export function style(enabled: boolean): Style {
  const paint = (open: number, close: number) => (text: string) =>
    enabled && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    enabled,
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    blue: paint(34, 39),
    cyan: paint(36, 39),
  };
}

/**
 * Whether a stream gets colours: on a terminal, unless `NO_COLOR` (no-color.org) or a dumb terminal says otherwise.
 * `FORCE_COLOR` overrides all of it, as in Node itself.
 */
export function wantsColor(environment: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  const { FORCE_COLOR: force, NO_COLOR: none, TERM: terminal } = environment;
  if (force !== undefined) return force !== '0' && force !== 'false';
  if (none !== undefined && none !== '') return false;
  return isTerminal && terminal !== 'dumb';
}
