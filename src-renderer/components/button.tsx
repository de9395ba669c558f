import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
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
}

export function IconButton({ label, className, ...rest }: IconButtonProps): ReactNode {
  const classes = className === undefined ? 'icon-button' : `icon-button ${className}`;
  return (
    <Tip text={label}>
      <Button variant="ghost" aria-label={label} className={classes} {...rest} />
    </Tip>
  );
}
