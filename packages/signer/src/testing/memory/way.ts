import type { Timer, World } from "@conclave/custody";

/** The keepalive of gRPC notices a dead connection after so long. */
const NOTICED_MS = 3_000;

/** One direction between two places, as its faults leave it. */
export interface Way {
  /** messages vanish */
  readonly isCut: boolean;
  /** milliseconds that a message takes beside its usual time */
  readonly delayMs: number;
  /** Infinity where nothing slows it */
  readonly bytesPerSecond: number;
  /** Whether the connection breaks under the message that passes now; asked once for each. */
  readonly breaks: () => boolean;
}

/** Finds the way from one place to another, by their names. The same way each time. */
export type FindWay = (from: string, to: string) => Way;

/** A way without faults. */
export const OPEN_WAY: Way = {
  isCut: false,
  delayMs: 0,
  bytesPerSecond: Number.POSITIVE_INFINITY,
  breaks: () => false,
};

/** The two ways of a connection, as seen by the one that opened it. */
export interface Connection {
  readonly there: Way;
  readonly back: Way;
}

/** A network whose ways change. */
interface ChangingNetwork {
  readonly world: Pick<World, "after">;
  readonly onChange: (changed: () => void) => () => void;
}

export const isCut = ({ there, back }: Connection): boolean => there.isCut || back.isCut;

/**
 * Calls back once the keepalive of a connection notices that it is cut, and once it is not cut any more.
 * @returns a function that ends it
 */
export const onSilence = (
  network: ChangingNetwork,
  connection: Connection,
  noticed: (isSilent: boolean) => void,
): (() => void) => {
  let timer: Timer | undefined;
  let isSilent = false;
  const look = (): void => {
    if (isCut(connection)) {
      timer ??= network.world.after(NOTICED_MS, () => {
        isSilent = true;
        noticed(true);
      });
      return;
    }
    timer?.stop();
    timer = undefined;
    if (!isSilent) return;
    isSilent = false;
    noticed(false);
  };
  const forget = network.onChange(look);
  look();
  return () => {
    forget();
    timer?.stop();
  };
};
