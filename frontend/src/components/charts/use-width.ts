import { useCallback, useState, type RefCallback } from "react";

/** Width of the element that gets the ref, in whole pixels; 0 until measured. */
export function useWidth(): [ref: RefCallback<HTMLElement>, width: number] {
  const [width, setWidth] = useState(0);
  const ref = useCallback((node: HTMLElement | null) => {
    if (node === null) {
      return undefined;
    }
    const measure = () => setWidth(node.clientWidth);
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    measure();
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
