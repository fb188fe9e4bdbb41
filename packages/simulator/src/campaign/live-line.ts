import type { CampaignSum } from "./campaign-sum.ts";
import type { CampaignSettings } from "./settings.ts";

const EVERY_MS = 1_000;
const MS_PER_SECOND = 1_000;
const MS_PER_MINUTE = 60_000;
/** Characters of a terminal that does not say its width. */
const COLUMNS = 80;
const CLEAR = "\r\u001b[2K";

/** The real milliseconds until a campaign ends; undefined where its worlds are counted and none has ended yet. */
export const leftMsOf = (
  { worlds, minutes }: Pick<CampaignSettings, "worlds" | "minutes">,
  done: number,
  elapsedMs: number,
): number | undefined => {
  if (worlds === undefined) return Math.max(0, minutes * MS_PER_MINUTE - elapsedMs);
  return done === 0 ? undefined : (Math.max(0, worlds - done) * elapsedMs) / done;
};

/** The state of a campaign in one line. @param leftMs undefined where it is not known */
export const liveText = (sum: CampaignSum, elapsedMs: number, leftMs: number | undefined): string => {
  const perMinute = elapsedMs === 0 ? 0 : (sum.worlds * MS_PER_MINUTE) / elapsedMs;
  const left = leftMs === undefined ? "" : `, ${Math.ceil(leftMs / MS_PER_SECOND)} s left`;
  return `${sum.worlds} worlds, ${sum.transfers} transfers, ${sum.steps} steps, ${perMinute.toFixed(0)} worlds a minute, ${sum.failed} failed${left}`;
};

/** A stream of text, such as standard output. */
export interface TextStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Lines of text and, on a terminal, one line below them that is written anew each second. */
export interface LiveLine {
  /** Writes a line that stays. */
  readonly say: (line: string) => void;
  /** Removes the live line. */
  readonly end: () => void;
}

/** Opens a live line. On a stream that is no terminal there is none. @param textOf makes its text */
export const openLiveLine = (stream: TextStream, textOf: () => string): LiveLine => {
  if (stream.isTTY !== true) return { say: (line) => void stream.write(`${line}\n`), end: () => undefined };
  // a line that wraps could not be removed; a terminal of no width does not say it
  const columns = (): number => stream.columns || COLUMNS;
  const draw = (): void => void stream.write(`${CLEAR}${textOf().slice(0, columns() - 1)}`);
  draw();
  const timer = setInterval(draw, EVERY_MS);
  return {
    say: (line) => {
      stream.write(`${CLEAR}${line}\n`);
      draw();
    },
    end: () => {
      clearInterval(timer);
      stream.write(CLEAR);
    },
  };
};
