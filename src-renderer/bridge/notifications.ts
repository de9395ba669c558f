/** Whether the browser has not been asked yet if this page may notify. */
export function canAskToNotify(): boolean {
  return 'Notification' in globalThis && Notification.permission === 'default';
}

export async function askToNotify(): Promise<void> {
  await Notification.requestPermission();
}

/** Shows a system notification, where that is allowed. */
export function notify(title: string, body: string, onClick: () => void): void {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return;
  const notification = new Notification(title, { body, tag: title + body });
  notification.onclick = () => {
    globalThis.focus();
    onClick();
    notification.close();
  };
}
