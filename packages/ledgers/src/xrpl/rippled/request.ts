import type { RippledState } from "../state.ts";

export type RippledVersion = 1 | 2;

/** A request, independent of its transport. */
export interface RippledRequest {
  readonly command: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** of the API; both versions are served */
  readonly version: RippledVersion;
  /** milliseconds since 1970 */
  readonly now: number;
}

/** A request together with the state from which it is answered. */
export interface RippledQuery extends RippledRequest {
  readonly state: RippledState;
}

/** @returns undefined for an API version that is not served */
export const versionOf = (given: unknown): RippledVersion | undefined => {
  if (given === undefined) return 1;
  return given === 1 || given === 2 ? given : undefined;
};
