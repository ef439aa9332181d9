import { useEffect, useState, useSyncExternalStore } from "react";
import { useConnectivity } from "@/api/connectivity";
import { Saver, type SaverOptions } from "./saver";

/** Saver of the open page's draft; saves unsaved changes when the page is left. */
export function useSaver<C, R>(read: R, options: SaverOptions<C, R>) {
  const connectivity = useConnectivity();
  const [saver] = useState(() => new Saver(read, options));
  const state = useSyncExternalStore(saver.subscribe, saver.getState);
  useEffect(() => saver.read(read), [saver, read]);
  useEffect(() => {
    if (connectivity === "online") {
      saver.retry();
    }
  }, [saver, connectivity]);
  useEffect(() => {
    const onHidden = () => {
      if (document.visibilityState === "hidden") {
        void saver.flush();
      }
    };
    document.addEventListener("visibilitychange", onHidden);
    return () => {
      document.removeEventListener("visibilitychange", onHidden);
      saver.close();
    };
  }, [saver]);
  return { state, saver };
}
