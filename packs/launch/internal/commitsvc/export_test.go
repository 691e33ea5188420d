package commitsvc

// OnStep has the server tell which steps it has done.
func (s *Server) OnStep(reached func(step string)) { s.reached = reached }
