import { type ReactNode, useState } from 'react';
import type { SavedPrompt } from '#contract/settings.ts';
import { Modal } from '../../components/modal.tsx';
import { PromptForm } from '../../components/prompt-form.tsx';
import { promptStrings } from '../../strings/prompts.ts';

/** Saves the text of a message as a prompt, under a name that the user gives it. */
export function SavePromptDialog({
  text,
  onClose,
}: {
  readonly text: string;
  readonly onClose: () => void;
}): ReactNode {
  const [prompt, setPrompt] = useState<SavedPrompt>({ name: '', text });
  return (
    <Modal title={promptStrings.saveMessage} onClose={onClose}>
      <PromptForm before={null} {...{ prompt }} onChange={setPrompt} onDone={onClose} />
    </Modal>
  );
}
