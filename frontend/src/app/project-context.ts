import { createContext, useContext } from "react";
import type { Project } from "@/api/types";

export const ProjectContext = createContext<Project | null>(null);

/** The project of the current route. Only below the project layout. */
export function useProject(): Project {
  const project = useContext(ProjectContext);
  if (project === null) {
    throw new Error("useProject needs the project layout above it");
  }
  return project;
}
