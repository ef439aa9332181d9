/** Fields of every list entry. Types that cannot be archived have no `archived_at`. */
export interface Resource {
  id: string;
  name: string;
  archived_at?: string | null;
}
