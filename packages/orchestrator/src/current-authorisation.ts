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
 * Whether signers accept an authorisation now, even with clocks ahead of ours. If not, the gateway renews the
 * authorisations of wanted requests as soon as it can; asking signers before that would only cost presignatures. An
 * authorisation that cannot be read is sent to the signers, which refuse it.
 */
export const isCurrent = (world: World, authorisation: SignedAuthorisation): boolean => {
  const dates = datesOf(authorisation);
  return (
    dates === undefined ||
    world.nowMs() < authorisedAtMs(dates) + AUTHORISATION_AGE_MS_MAX - CLOCK_SKEW_MS_MAX
  );
};
