import type { ChainRequestId, Network } from "@conclave/custody";
import type { Logger } from "@conclave/platform";
import { processWorld } from "@conclave/platform/world";
import type { ServedChain } from "../chain-requests/served-chain.ts";
import { carryOutRequest } from "../chain-requests/work.ts";
import { plainSigners } from "./plain-signers.ts";
import type { World } from "./world.ts";

/** Carries a request out on the only served chain, signed with the whole key of the world's wallets. */
export const carryOutOn = (
  world: World,
  {
    network,
    chain,
    logger,
  }: { readonly network: Network; readonly chain: ServedChain; readonly logger: Logger },
  id: ChainRequestId,
) =>
  carryOutRequest(
    {
      database: world.orchestratorDatabase,
      chains: new Map([[network, chain]]),
      quorum: plainSigners(world.account),
      logger,
      world: processWorld,
      broadcasted: () => undefined,
      signal: () => undefined,
    },
    id,
  );
