import { FormSelect } from '@patternfly/react-core';
import { type ReactNode, useId } from 'react';

export interface ChoiceProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** The options. */
  children: ReactNode;
}

/** One of a few values, with its label above. */
export function Choice({ label, value, onChange, children }: ChoiceProps) {
  const id = useId();
  return (
    <div className="pg-field">
      <label htmlFor={id}>{label}</label>
      <FormSelect id={id} value={value} onChange={(_event, chosen) => { onChange(chosen); }}>
        {children}
      </FormSelect>
    </div>
  );
}
