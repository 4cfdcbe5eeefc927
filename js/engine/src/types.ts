/** What the engine takes and gives, as it crosses from Rust: unions are tagged on `kind`. */

/** A JSON value. Integers beyond 2^53 are `bigint`; a field that is `undefined` is absent. */
export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json | undefined };

/** An object as the Kubernetes API has it. */
export type KubeObject = {
  apiVersion: string;
  kind: string;
  metadata?: { name?: string; namespace?: string; [key: string]: Json | undefined };
  [key: string]: Json | undefined;
};

/** Which object: what kind it is of, where it lives and what it is called. */
export interface ObjectRef {
  apiVersion: string;
  kind: string;
  /** Empty for a cluster-scoped object. */
  namespace: string;
  name: string;
}

/** A release of the controller, as far as its behaviour differs. */
export type Behavior = '4.22' | '4.23' | 'ga';

export type Severity = 'info' | 'warning' | 'error';

/** A range of a text. */
export interface Span {
  /** From 1. */
  line: number;
  /** From 1, in characters. */
  column: number;
  /** In UTF-16 units, as JavaScript's strings count. */
  start: number;
  end: number;
}

/** A place in the input. What is not known is absent. */
export interface Source {
  file?: string;
  asset?: string;
  object?: ObjectRef;
  /** The key of the annotation in whose text it is. */
  annotation?: string;
  /** A JSON pointer (RFC 6901) into the object. */
  pointer?: string;
  /** The place in the text of the file or the annotation. */
  span?: Span;
}

/** A change of an annotation that would mend a diagnostic. */
export interface Fix {
  title: string;
  object: ObjectRef;
  annotation: string;
  /** `null` removes the annotation. */
  value: string | null;
}

/** What is wrong or surprising in the input, where, and what to do next. */
export interface Diagnostic {
  /** Stable, dotted name of the finding. */
  code: string;
  severity: Severity;
  /** May change between versions. */
  message: string;
  help?: string;
  source?: Source;
  related?: { message: string; source: Source }[];
  fixes?: Fix[];
}
