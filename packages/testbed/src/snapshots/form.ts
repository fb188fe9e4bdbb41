import { programVersion } from "../host/installation.ts";
import { LaunchError } from "../launch-error.ts";
import type { Snapshot } from "./list.ts";

/** The form of the snapshots that this version takes: the folders in one, and the description of it. */
export const SNAPSHOT_FORM = 1;

const numbersOf = (version: string): readonly number[] | undefined =>
  /^\d{1,6}\.\d{1,6}\.\d{1,6}$/.test(version) ? version.split(".").map(Number) : undefined;

/** Whether a version MAJOR.MINOR.PATCH is later than another one; undefined if either is no such version. */
const isLater = (version: string, than: string): boolean | undefined => {
  const [one, other] = [numbersOf(version), numbersOf(than)];
  if (one === undefined || other === undefined) return undefined;
  const at = one.findIndex((number, place) => number !== other[place]);
  return at >= 0 && (one[at] ?? 0) > (other[at] ?? 0);
};

/**
 * Checks that this version can put a snapshot back. One that names neither form nor version is of the first form.
 * @throws LaunchError for a form that is newer or unknown, and for a newer or unknown version of Conclave: its stores and records may have
 * forms that this one does not read
 */
export const requireKnownForm = ({ name, form, version }: Snapshot, own: string = programVersion()): void => {
  const isFormKnown = form === undefined || form === SNAPSHOT_FORM;
  if (isFormKnown && (version === undefined || isLater(version, own) === false)) return;
  const taken = version === undefined ? "another version of Conclave" : `Conclave ${version}`;
  throw new LaunchError(
    `the snapshot ${name} was taken by ${taken} in the form ${form ?? SNAPSHOT_FORM}, and this is Conclave ${own}, which puts back snapshots of its own and earlier versions, of the form ${SNAPSHOT_FORM}`,
    "Put it back with the version that took it, or a later one.",
  );
};
