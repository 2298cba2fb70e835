"""Environments for reinforcement learning over any scenario (extra `gym`).

>>> from multihop import gym
>>> task = gym.Task("chain.toml", agents="senders", control=["pace"], observe=["busy", "sent"])
>>> env = gym.Environment(task)             # Gymnasium: one agent
>>> env = gym.ParallelEnvironment(task)     # PettingZoo: several agents
>>> env = gym.VectorEnvironment(task, 64)   # Gymnasium: many environments, as arrays

    features      what agents can know, and rewards be made of
    policy        trained policies as data, which scenarios run
    controls      what agents can do
    steps         when a control step ends: after a time, or at an event
    task          scenario, agents, controls, observations, reward
    episodes      episodes of some environments in the engine
    extras        Gymnasium and PettingZoo, or how to get them
    environment, parallel, vector   the faces
"""

from __future__ import annotations

from .controls import Control
from .environment import Environment
from .features import Feature, features
from .parallel import ParallelEnvironment
from .policy import Layer, Policy
from .steps import Event
from .task import Task
from .vector import VectorEnvironment

__all__ = [
    "Control",
    "Environment",
    "Event",
    "Feature",
    "Layer",
    "ParallelEnvironment",
    "Policy",
    "Task",
    "VectorEnvironment",
    "features",
]
