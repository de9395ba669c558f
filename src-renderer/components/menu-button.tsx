import { Ellipsis } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';

interface MenuButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Read out. */
  readonly label: string;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** Opens a menu of more actions; for `DropdownMenu.Trigger`. */
export function MenuButton({ label, className, ...rest }: MenuButtonProps): ReactNode {
  return (
    <button
      type="button"
      className={className === undefined ? 'button icon-button' : `button icon-button ${className}`}
      data-variant="ghost"
      data-size="small"
      aria-label={label}
      {...rest}
    >
      <Ellipsis aria-hidden="true" size={14} />
    </button>
  );
}
