export { runCampaign } from "./campaign/campaign.ts";
export { drawOrder } from "./campaign/draw-order.ts";
export { drawWorld } from "./campaign/draw-world.ts";
export { PROFILES } from "./campaign/profile.ts";
export { readCampaignSettings } from "./campaign/settings.ts";
export { migratedDump } from "./store/migrated-dump.ts";
export { openWorldPool, type RunOrder } from "./workers/world-pool.ts";
export { runWorld } from "./world/run-world.ts";
