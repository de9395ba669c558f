import { useEffect, useRef, useState } from 'react';

/** Takes files that are dropped anywhere in the window. Gives whether some are over it now. */
export function useFileDrop(onFiles: (files: FileList) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    const over = ({ dataTransfer }: DragEvent): void => setIsOver(hasFiles(dataTransfer));
    const leave = ({ relatedTarget }: DragEvent): void => {
      if (relatedTarget === null) setIsOver(false);
    };
    const drop = ({ dataTransfer }: DragEvent): void => {
      setIsOver(false);
      if (dataTransfer !== null && hasFiles(dataTransfer)) latest.current(dataTransfer.files);
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, []);
  return isOver;
}

/** Without this, a file that is dropped where nothing takes it replaces the page. */
export function refuseFileDrops(): void {
  const refuse = (event: DragEvent): void => {
    if (hasFiles(event.dataTransfer)) event.preventDefault();
  };
  addEventListener('dragover', refuse);
  addEventListener('drop', refuse);
}

function hasFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes('Files') === true;
}
