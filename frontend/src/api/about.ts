import { query } from "./queries";

/** Version of Edison and kind of its database; neither changes while it runs. */
export const aboutQuery = query("/about", {}, { staleTime: Infinity });
