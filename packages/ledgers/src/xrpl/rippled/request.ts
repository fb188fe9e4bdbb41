import type { RippledState } from "../state.ts";

export type RippledVersion = 1 | 2;

/** One request, read out of whatever carried it. */
export interface RippledRequest {
  readonly command: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** of the interface: both are served */
  readonly version: RippledVersion;
  /** milliseconds since 1970 */
  readonly now: number;
}

/** The node's answers to requests that change nothing. */
export interface RippledQuery extends RippledRequest {
  readonly state: RippledState;
}

/** @returns undefined for a version that is not served */
export const versionOf = (given: unknown): RippledVersion | undefined => {
  if (given === undefined) return 1;
  return given === 1 || given === 2 ? given : undefined;
};
