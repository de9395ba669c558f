/** Something that goes on and on, in every way to get away from a shell; each writes a file of its own, `tick1` to `tick3`. */
export const RUNAWAYS = [
  '(while :; do date +%s%N >tick1; sleep 0.02; done) &',
  'nohup setsid bash -c "while :; do date +%s%N >tick2; sleep 0.02; done" >/dev/null 2>&1 &',
  `python3 -c 'import os,time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True:
            open("tick3", "w").write(str(time.time())); time.sleep(0.02)' &`,
].join('\n');
