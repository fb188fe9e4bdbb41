import {
  type CallId,
  type Command,
  SIGNING_AUTHORISATION_BYTES_MAX,
  type SignerEvent,
  sessionKey,
} from "@conclave/cluster";
import {
  keyIdSchema,
  type SignedAuthorisation,
  signatureIdSchema,
  transactionIdSchema,
  transferIdSchema,
} from "@conclave/custody";
import { z } from "zod";

/** The ids of a session in a log line; each is absent where the command names none. */
export interface SessionNames {
  /** the session id of the coordinator, 64 lower-case hex digits */
  readonly session?: string;
  readonly keyId?: string;
  readonly requestId?: string;
}

const UNNAMED: SessionNames = {};

/** The ids that an authorisation may name; all its other members are passed over. */
const namedSchema = z.object({
  keyId: keyIdSchema.optional().catch(undefined),
  requestId: z.union([transferIdSchema, transactionIdSchema, signatureIdSchema]).optional().catch(undefined),
});

interface BegunSession {
  readonly session: Uint8Array;
  readonly command: Command;
  isReleased: boolean;
}

/**
 * The sessions of the open calls, by which log lines name session, key and request. The ids are read from the command as it came, before
 * anything is verified: they are for the log alone.
 */
export class BegunSessions {
  readonly #byCall = new Map<CallId, BegunSession>();

  /** Keeps the command that a call begins with, and forgets it when its caller closes the call. @returns `dispatch` with that before it */
  noting(dispatch: (event: SignerEvent) => void): (event: SignerEvent) => void {
    return (event) => {
      if (event.kind === "begin") {
        const { call, session, command } = event;
        this.#byCall.set(call, { session, command, isReleased: false });
      }
      if (event.kind === "call-closed") this.end(event.call);
      dispatch(event);
    };
  }

  /** Forgets a call that has its final report. */
  end(call: CallId): void {
    this.#byCall.delete(call);
  }

  /** @returns no ids for a call that began no session, or has ended */
  namesOf(call: CallId): SessionNames {
    const begun = this.#byCall.get(call);
    return begun === undefined ? UNNAMED : namesIn(begun);
  }

  /** Notes that the session of a call signs. @returns its ids the first time, undefined after that */
  release(call: CallId): SessionNames | undefined {
    const begun = this.#byCall.get(call);
    if (begun === undefined || begun.isReleased) return undefined;
    begun.isReleased = true;
    return namesIn(begun);
  }
}

const namesIn = ({ session, command }: BegunSession): SessionNames => {
  const key = sessionKey(session);
  const authorised = "authorisation" in command ? namedIn(command.authorisation) : UNNAMED;
  const keyId = "keyId" in command ? keyIdSchema.safeParse(command.keyId).data : authorised.keyId;
  return {
    ...(key === undefined ? {} : { session: key }),
    ...(keyId === undefined ? {} : { keyId }),
    ...(authorised.requestId === undefined ? {} : { requestId: authorised.requestId }),
  };
};

const namedIn = (authorisation: SignedAuthorisation | undefined): z.infer<typeof namedSchema> => {
  // longer ones are refused by the state machine, and are not read for the log either
  if (authorisation === undefined || authorisation.payload.length > SIGNING_AUTHORISATION_BYTES_MAX)
    return {};
  try {
    const content: unknown = JSON.parse(new TextDecoder().decode(authorisation.payload));
    return namedSchema.safeParse(content).data ?? {};
  } catch {
    return {};
  }
};
