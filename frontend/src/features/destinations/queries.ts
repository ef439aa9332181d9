import { useQueryClient } from "@tanstack/react-query";
import { allPages, pages, query } from "@/api/queries";
import { refreshAll } from "@/api/refreshing-mutation";
import { send } from "@/api/request";
import type { DestinationSaved } from "@/api/types";
import { familiesOf } from "@/api/use-change";

const DESTINATIONS = "/projects/{project}/destinations";
export const DESTINATION = `${DESTINATIONS}/{destination_id}` as const;
const LOG_PAGE = 20;

export const destinationsQuery = (slug: string) => allPages(DESTINATIONS, { project: slug });

export const channelsQuery = (slug: string) =>
  query(`${DESTINATIONS}/channels`, { project: slug }, { staleTime: Infinity });

export const deliveriesQuery = (slug: string, destinationId: string) =>
  pages(`${DESTINATION}/deliveries`, {
    project: slug,
    destination_id: destinationId,
    query: { limit: LOG_PAGE },
  });

export interface DestinationValues {
  channel: string;
  name: string;
  /** Empty to keep the current one. */
  address: string;
  kinds: string[];
  includes_content: boolean;
}

/**
 * Requests whose bodies hold addresses. Not mutations of the query client, which would keep the
 * body in its cache.
 */
export function useDestinationWriters(slug: string) {
  const queryClient = useQueryClient();
  const thenRefresh = async (request: Promise<DestinationSaved>) => {
    const saved = await request;
    await refreshAll(queryClient, familiesOf(DESTINATIONS, { project: slug }));
    return saved;
  };
  return {
    create: (body: DestinationValues) =>
      thenRefresh(send("post", DESTINATIONS, { project: slug, body })),
    change: (destinationId: string, { channel: _, address, ...rest }: DestinationValues) =>
      thenRefresh(
        send("patch", DESTINATION, {
          project: slug,
          destination_id: destinationId,
          body: address === "" ? rest : { ...rest, address },
        }),
      ),
  };
}
