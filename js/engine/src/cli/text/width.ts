// eslint-disable-next-line no-control-regex -- the sequences that colour text are control characters
const COLOR = /\u001b\[\d{1,3}m/g;
// eslint-disable-next-line no-control-regex -- as above
const COLORED = /(\u001b\[\d{1,3}m)/;
const PLAIN = /^[\u0020-\u007e]*$/;
// Marks that take no column, and letters that take two, of the scripts one meets in names and messages.
const ZERO = /\p{Mark}|\u200b|\u200d|\ufe0f/u;
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** The columns that a text takes on a terminal. */
export function columns(text: string): number {
  const bare = text.includes('\u001b') ? text.replace(COLOR, '') : text;
  if (PLAIN.test(bare)) return bare.length;
  let width = 0;
  for (const letter of bare) width += ZERO.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1;
  return width;
}

/** The text with blanks up to a width. */
export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - columns(text)));
}

/** The text with blanks before it up to a width. */
export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - columns(text))) + text;
}

/** The text, cut to a width with an ellipsis at the end; colours stay whole. */
export function cut(text: string, width: number): string {
  if (columns(text) <= width) return text;
  if (width <= 0) return '';
  let out = '';
  let used = 0;
  for (const part of text.split(COLORED)) {
    if (part.startsWith('\u001b')) {
      out += part;
      continue;
    }
    for (const letter of part) {
      const next = used + columns(letter);
      if (next > width - 1) {
        if (used < width) out += '…';
        used = width;
        break;
      }
      out += letter;
      used = next;
    }
  }
  return out;
}

/**
 * The lines of a text that is wrapped at blanks; a word that is longer than a line is broken.
 *
 * @param first the width of the first line, where it is another
 */
export function wrap(text: string, width: number, first = width): string[] {
  const lines: string[] = [];
  const room = () => (lines.length === 0 ? first : width);
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (let word of paragraph.split(' ')) {
      if (line !== '' && columns(line) + 1 + columns(word) > room()) {
        lines.push(line);
        line = '';
      }
      while (columns(word) > room() && room() > 0 && !word.includes('\u001b')) {
        const letters = Array.from(word);
        const end = breakBefore(letters, room());
        lines.push(letters.slice(0, end).join(''));
        word = letters.slice(end).join('');
      }
      line = line === '' ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines;
}

/** Where a long word is broken: after a sign between its parts if there is one in the line's second half. */
function breakBefore(letters: readonly string[], width: number): number {
  for (let end = width; end > width / 2; end--) {
    if (/[-./,:=_]/.test(letters[end - 1] ?? '')) return end;
  }
  return width;
}

/** The text wrapped to a width, every line after the first with a hanging indent. */
export function hang(first: string, text: string, width: number, indent = ' '.repeat(columns(first))): string {
  const room = (start: string) => Math.max(20, width - columns(start));
  return wrap(text, room(indent), room(first))
    .map((line, at) => (at === 0 ? first : indent) + line)
    .join('\n');
}
