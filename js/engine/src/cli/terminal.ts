import { style, wantsColor, type Style } from './style.js';

/** Where text for people goes: standard output or standard error. */
export interface Sink {
  readonly style: Style;
  /** Whether a person sees it directly. */
  readonly isTerminal: boolean;
  /** Columns of the terminal; endless when it is none, so that nothing is cut that another program reads. */
  readonly width: number;
  /** Columns that prose is wrapped at. */
  readonly prose: number;
  /** Writes lines of text, with anything that could command the terminal made visible. */
  line(text?: string): void;
  /** Writes text as it is, for other programs to read. */
  raw(text: string): void;
}

/** Both streams of the process. */
export interface Terminal {
  out: Sink;
  err: Sink;
}

const PROSE = 100;

/** The terminal of this process. */
export function terminal(): Terminal {
  return { out: sink(process.stdout), err: sink(process.stderr) };
}

function sink(stream: NodeJS.WriteStream): Sink {
  // `… | head` closes the pipe early; that is no failure of ours.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  const isTerminal = stream.isTTY;
  const fixed = Number.parseInt(process.env['COLUMNS'] ?? '', 10);
  const width = isTerminal ? stream.columns || 80 : fixed > 0 ? fixed : Number.POSITIVE_INFINITY;
  const paint = style(wantsColor(process.env, isTerminal));
  return {
    style: paint,
    isTerminal,
    width,
    prose: Math.min(width, PROSE),
    line(text = '') {
      stream.write(`${harmless(text, paint.enabled)}\n`);
    },
    raw(text) {
      stream.write(text);
    },
  };
}

/** The text without control characters but for line ends and, where they are wanted, colours. */
export function harmless(text: string, colors: boolean): string {
  return text.replace(CONTROL, (found) => (colors && found.length > 1 ? found : visible(found)));
}

// eslint-disable-next-line no-control-regex -- these are what is looked for
const CONTROL = /\u001b\[\d{1,3}m|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

function visible(text: string): string {
  return Array.from(text, (letter) => {
    const code = letter.codePointAt(0) ?? 0;
    return code >= 0x20 && code < 0x7f ? letter : `\\u${code.toString(16).padStart(4, '0')}`;
  }).join('');
}
