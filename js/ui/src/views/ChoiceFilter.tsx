import { Badge, MenuToggle, Select, SelectList, SelectOption } from '@patternfly/react-core';
import { useState } from 'react';

export interface Choice<Value extends string> {
  value: Value;
  text: string;
  count: number;
}

export interface ChoiceFilterProps<Value extends string> {
  name: string;
  choices: readonly Choice<Value>[];
  chosen: readonly Value[];
  onChange: (chosen: Value[]) => void;
}

/** A menu from which any number of values is chosen. */
export function ChoiceFilter<Value extends string>({ name, choices, chosen, onChange }: ChoiceFilterProps<Value>) {
  const [open, setOpen] = useState(false);
  const toggle = (value: Value) => {
    onChange(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]);
  };
  return (
    <Select
      role="menu"
      isOpen={open}
      selected={chosen}
      onOpenChange={setOpen}
      onSelect={(_event, value) => { toggle(value as Value); }}
      isScrollable
      toggle={(ref) => (
        <MenuToggle ref={ref} isExpanded={open} isDisabled={choices.length === 0} onClick={() => { setOpen(!open); }}>
          {name} {chosen.length > 0 && <Badge isRead>{chosen.length}</Badge>}
        </MenuToggle>
      )}
    >
      <SelectList>
        {choices.map(({ value, text, count }) => (
          <SelectOption key={value} hasCheckbox value={value} isSelected={chosen.includes(value)}>
            {text} <span className="va-quiet">{count}</span>
          </SelectOption>
        ))}
      </SelectList>
    </Select>
  );
}
