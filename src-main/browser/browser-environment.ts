/** Keys and tokens of the app's environment are none of the browser's business. */
export function browserEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept =
    /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_.*|TZ|TMPDIR|TEMP|TMP|DISPLAY|WAYLAND_DISPLAY|XDG_.*|SystemRoot|LOCALAPPDATA|APPDATA|PROGRAMFILES.*|USERPROFILE|SYSTEMDRIVE|FONTCONFIG_.*)$/i;
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && kept.test(name) ? [[name, value]] : [],
    ),
  );
}
