import { FAMILIES, type FamilyRegistry } from "@conclave/chains";
import { FairTurns, processWorld } from "@conclave/platform";
import { ADMISSION_LIMITS, type AdmissionLimits } from "../admission/limits.ts";
import { bodyReader } from "../reading/body-reader.ts";
import { type BodyReading, readingHere, shareReading } from "../reading/body-reading.ts";
import type { ReadableChains } from "../reading/readable.ts";

/** Reads bodies of all lengths in the test's own thread. */
export const readingOf = (
  chains: ReadableChains["chains"],
  families: FamilyRegistry = FAMILIES,
  limits: Pick<AdmissionLimits, "reading"> = ADMISSION_LIMITS,
): BodyReading => {
  const reader = bodyReader({ families, chains });
  return shareReading(reader, readingHere(reader), new FairTurns(processWorld, limits.reading));
};
