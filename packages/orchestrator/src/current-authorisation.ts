import { CLOCK_SKEW_MS_MAX } from "@conclave/cluster";
import {
  AUTHORISATION_AGE_MS_MAX,
  authorisedAtMs,
  type SignedAuthorisation,
  type World,
} from "@conclave/custody";
import { z } from "zod";

const datesSchema = z.looseObject({ dateRequested: z.string(), dateAuthorised: z.string().optional() });

const datesOf = ({ payload }: SignedAuthorisation): z.output<typeof datesSchema> | undefined => {
  try {
    return datesSchema.safeParse(JSON.parse(new TextDecoder().decode(payload))).data;
  } catch {
    return undefined;
  }
};

/**
 * Whether signers act on an authorisation now, by clocks that may be ahead of ours. If not, the gateway signs anew what is wanted, as soon
 * as it can; to ask before that would only cost presignatures. One that cannot be read is sent to the signers, which refuse it.
 */
export const isCurrent = (world: World, authorisation: SignedAuthorisation): boolean => {
  const dates = datesOf(authorisation);
  return (
    dates === undefined ||
    world.nowMs() < authorisedAtMs(dates) + AUTHORISATION_AGE_MS_MAX - CLOCK_SKEW_MS_MAX
  );
};
