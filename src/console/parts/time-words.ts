const seconds = {
  year: 31_536_000,
  month: 2_592_000,
  week: 604_800,
  day: 86_400,
  hour: 3600,
  minute: 60,
} as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });
const clockTime = new Intl.DateTimeFormat('en', { hour12: false, timeStyle: 'medium' });

/** 4 minutes ago */
export function ago(time: number, now: number): string {
  const passed = Math.round((now - time) / 1000);
  if (Math.abs(passed) < 5) return 'just now';
  for (const [unit, length] of Object.entries(seconds))
    if (Math.abs(passed) >= length)
      return relative.format(-Math.round(passed / length), unit as keyof typeof seconds);
  return relative.format(-passed, 'second');
}

/** 1 min 40 s */
export function span(milliseconds: number): string {
  const total = Math.max(0, Math.round(milliseconds / 1000));
  const [hours, minutes, rest] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
  if (minutes > 0) return rest > 0 ? `${minutes} min ${rest} s` : `${minutes} min`;
  return `${rest} s`;
}

export const exactTime = (time: number): string => exact.format(time);

/** 16:10:54 */
export const timeOfDay = (time: number): string => clockTime.format(time);
