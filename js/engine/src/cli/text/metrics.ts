import type { Plan } from '../contract.js';

/** Samples in Prometheus' text format, those of one metric together. */
export function metricsText(samples: Plan['metrics']): string {
  const byMetric = new Map<string, string[]>();
  for (const { metric, labels, value } of samples) {
    const pairs = labels.map(([name, text]) => `${name}="${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`);
    const line = `${metric}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
    byMetric.set(metric, [...(byMetric.get(metric) ?? []), line]);
  }
  return Array.from(byMetric, ([metric, lines]) => `# TYPE ${metric} ${metric.endsWith('_total') ? 'counter' : 'gauge'}\n${lines.join('')}`).join('');
}
