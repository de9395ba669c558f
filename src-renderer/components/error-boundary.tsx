import { Component, type ErrorInfo, type ReactNode } from 'react';
import { appStrings } from '../strings/app.ts';
import { Button } from './button.tsx';

interface Props {
  readonly children: ReactNode;
  /** Another value resets the boundary. */
  readonly resetKey?: string | null;
}

interface State {
  readonly failed: boolean;
  readonly resetKey: string | null | undefined;
}

/** Keeps a bug in one part of the window from taking the rest with it. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false, resetKey: this.props.resetKey };

  static getDerivedStateFromError(): Partial<State> {
    return { failed: true };
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    if (props.resetKey === state.resetKey) return null;
    return { failed: false, resetKey: props.resetKey };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error('A part of the window failed', error, info.componentStack);
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="empty-state" role="alert">
        <p>{appStrings.panelFailed}</p>
        <p className="muted">{appStrings.panelFailedHint}</p>
        <Button onClick={() => this.setState({ failed: false })}>{appStrings.showAgain}</Button>
      </div>
    );
  }
}
