import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { keysOf } from '../commands-context.ts';
import type { CommandId } from '../store/commands.ts';
import { Tip } from './tip.tsx';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly variant?: 'primary' | 'secondary' | 'ghost' | 'danger';
  readonly size?: 'small' | 'medium';
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({
  variant = 'secondary',
  size = 'medium',
  className,
  ...rest
}: ButtonProps): ReactNode {
  const classes = className === undefined ? 'button' : `button ${className}`;
  return (
    <button type="button" className={classes} data-variant={variant} data-size={size} {...rest} />
  );
}

export interface IconButtonProps extends Omit<ButtonProps, 'aria-label'> {
  /** Read out, and shown when pointed at. */
  readonly label: string;
  /** Shown in place of the label when pointed at. */
  readonly tip?: string;
  /** The command that does the same by keyboard. */
  readonly command?: CommandId;
}

export function IconButton({
  label,
  tip = label,
  className,
  command,
  ...rest
}: IconButtonProps): ReactNode {
  const classes = className === undefined ? 'icon-button' : `icon-button ${className}`;
  const keys = command === undefined ? null : keysOf(command);
  return (
    <Tip text={tip} keys={keys?.shown}>
      <Button
        variant="ghost"
        aria-label={label}
        aria-keyshortcuts={keys?.aria}
        className={classes}
        {...rest}
      />
    </Tip>
  );
}

/** A button with words for something that a command does too: its tooltip has the keys. */
export function CommandButton({
  command,
  ...rest
}: ButtonProps & { readonly command: CommandId | undefined }): ReactNode {
  const keys = command === undefined ? null : keysOf(command);
  const button = <Button aria-keyshortcuts={keys?.aria} {...rest} />;
  return keys === null ? button : <Tip text={keys.shown}>{button}</Tip>;
}
