import { type DragEvent, type ReactNode, useState } from 'react';

import { type PathFile, filesOfDrop } from '../files/dropped';
import { t } from '../texts';

/** Takes what is dropped on it. By keyboard the buttons in it do the same. */
export function DropZone({ onFiles, children }: { onFiles: (files: PathFile[]) => void; children: ReactNode }) {
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void filesOfDrop(event.dataTransfer).then(onFiles);
  };
  return (
    <div
      className={`pg-drop${over ? ' pg-drop--over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={drop}
    >
      {children}
      {over && (
        <div className="pg-drop__hint" aria-hidden="true">
          {t('input.drop')}
        </div>
      )}
    </div>
  );
}
