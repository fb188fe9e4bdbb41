import type { Chance } from "@conclave/chaos";
import { fail, type Result } from "@conclave/custody";
import type { GatewayProcess, UseCase } from "../process/gateway-process.ts";
import type { ProcessWorld } from "../time/process-world.ts";
import { microseconds, type Scheduler } from "../time/scheduler.ts";

/** The longest way of a message between a client and a gateway, milliseconds. */
const WAY_MS = 10;

/** The way of a client to the gateways. */
export interface ClientWay {
  readonly scheduler: Scheduler;
  /** of the client */
  readonly world: ProcessWorld;
  readonly chance: Chance;
  /** the share of answers that never arrive */
  readonly lostAnswers: () => number;
}

/**
 * Sends a request to a gateway.
 * @returns its answer; ServiceUnavailable where nobody listens. Never settles where the gateway dies meanwhile, or the answer is lost
 */
export const askGateway = <T>(
  { scheduler, world, chance, lostAnswers }: ClientWay,
  gateway: GatewayProcess,
  useCase: UseCase<T>,
): Promise<Result<T>> => {
  const way = (): number => chance.between(1, microseconds(WAY_MS));
  return new Promise((resolve) => {
    scheduler.plan(gateway.name, way(), () => {
      const { service } = gateway;
      if (service === undefined) {
        world.plan(way(), () => resolve(fail("ServiceUnavailable")));
        return;
      }
      service.serve(useCase, (answer) => {
        if (chance.share() >= lostAnswers()) world.plan(way(), () => resolve(answer));
      });
    });
  });
};
