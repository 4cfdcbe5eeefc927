import { Button } from '@patternfly/react-core';
import { type ReactNode, useRef } from 'react';

import { type PathFile, filesOfList } from '../files/dropped';

export interface FileButtonProps {
  text: string;
  icon: ReactNode;
  /** Choose a folder with everything in it. */
  folder?: boolean;
  onFiles: (files: PathFile[]) => void;
}

/** A button that lets one choose files. */
export function FileButton({ text, icon, folder = false, onFiles }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button variant="secondary" size="sm" icon={icon} onClick={() => input.current?.click()}>
        {text}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={text}
        // React knows no such attribute of its own.
        {...(folder && { webkitdirectory: '' })}
        onChange={({ target }) => {
          const files = filesOfList(target.files ?? []);
          target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
